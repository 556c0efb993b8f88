"""The operators that relations of SQL become: columns of tuples are computed, folded, ranked and joined."""
