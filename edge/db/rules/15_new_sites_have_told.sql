-- I4: a newly enrolled site has no past. Without a generation it could move rows of any client by `outcomes` until it
-- said that it had told everything (docs/protocol.md, rule 17).

-- A rule of the database, since an edge of an earlier release enrols sites as well.
CREATE TRIGGER sites_first_key AFTER UPDATE OF public_key ON sites
WHEN OLD.public_key IS NULL AND NEW.public_key IS NOT NULL
BEGIN
  UPDATE sites SET told_generation = (SELECT value FROM system WHERE key = 'generation') WHERE id = NEW.id;
END;
