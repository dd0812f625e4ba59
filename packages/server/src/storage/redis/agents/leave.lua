#!lua flags=allow-oom
-- Takes one instance away.
return dropInstance(text(), text(), text())
