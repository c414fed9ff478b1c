"""Tables that outgrow memory or a machine: cut into shards, masked each by itself."""
