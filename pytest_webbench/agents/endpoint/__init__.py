"""HTTP endpoints of models and agents: asked with patience, their troubles told in plain words."""
