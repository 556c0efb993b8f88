"""What relations of SQL become: tuples, of which columns are computed, folded, ranked and joined."""
