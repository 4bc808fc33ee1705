extern const double most = 5;
