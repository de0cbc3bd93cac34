SELECT 'é' FROM trace.calls;
