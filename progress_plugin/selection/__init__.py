"""Choose which statements of logs and plans the next agent should see."""
