# The layout of function_graph: a leaf, nested calls, marks, a comm and its pid.
ringside report "$DATA/openat2.dat" | head -12
ringside report "$DATA/openat2.dat" | grep -m 3 '# [0-9]'
ringside report -O tailprint -O fgraph:depth "$DATA/openat2.dat" | sed -n '12,14p'
ringside report -R "$DATA/openat2.dat" | sed -n '2,4p'
