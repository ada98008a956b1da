ringside hlep
