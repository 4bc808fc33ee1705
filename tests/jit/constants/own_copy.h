static double gam = 1.5;
