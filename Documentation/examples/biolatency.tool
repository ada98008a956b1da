# From when a request is given to the device until the device is done with it.
help	how long block devices take for requests, as a distribution
command	latency
kind	block
option	-a
