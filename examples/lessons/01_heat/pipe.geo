// pipe.geo: the cross-section of a pipe whose hole is not in the middle, for Gmsh: gmsh -2 pipe.geo -o pipe.msh
SetFactory("OpenCASCADE");
DefineConstant[ size = 0.009 ];
Disk(1) = {0, 0, 0, 0.10};      // the pipe: radius 0.10 m
Disk(2) = {0.03, 0, 0, 0.04};   // the hole: radius 0.04 m, 0.03 m beside the middle
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
Physical Surface("steel") = {3};
Physical Curve("outside") = {1};
Physical Curve("hole") = {2};
MeshSize{:} = size;
