help	interrupts of each CPU: how often, how long in all, on average and at most, in ns
command	profile
option	-S
option	-G
event	irq:irq_handler_entry
event	irq:irq_handler_exit
