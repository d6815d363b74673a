#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Joins this network namespace to a new one, `peer`, by two links: see tests/unit/sctp/test_kernel.c for the picture.
set -e
ip netns add peer
for i in 0 1; do
	ip link add va$i type veth peer name vb$i
	ip link set vb$i netns peer
	ip addr add 10.$((i + 1)).0.1/24 dev va$i
	ip link set va$i up
	ip -n peer addr add 10.$((i + 1)).0.2/24 dev vb$i
	ip -n peer link set vb$i up
done
ip -n peer link set lo up
ip addr add fd01::1/64 dev va0 nodad
ip -n peer addr add fd01::2/64 dev vb0 nodad
# of global scope, as fd01:: is: addresses of a narrower scope are not told to a peer of a wider one
ip addr add 192.0.2.1/24 dev va1
ip -n peer addr add 192.0.2.2/24 dev vb1
