const double most = 5;
