"""Speed, growth and memory, as ratios in the same run; `make bench` prints them."""
