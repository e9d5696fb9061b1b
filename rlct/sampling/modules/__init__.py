"""Torch modules with a loss and data, as targets of samplers.

network_loss  losses and gradients of many copies, with their work counted; samples are its data
weight_masks  which weights move
module  the loss on all data as a target
functional  a module as a function of offsets from its weights
datasets  data as samples by rows
named_inputs  inputs by name, as one tensor
losses  losses by sample
module_checks  what is refused before chains move
flattening  functions as lists of operations; operations makes these cheaper
torch_arrays  arrays and random draws on torch; torch_work counts what operations compute
"""
