SELECT 1 FROM trace.calls;
