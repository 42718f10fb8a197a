-- I4: a newly enrolled site has no past to report. Its first public key writes `told_generation`. Without it the site
-- could move rows of any client with `outcomes` frames until it sent the last of them (docs/protocol.md, rule 17).

-- The database does this because an edge of an earlier release also enrols sites.
CREATE TRIGGER sites_first_key AFTER UPDATE OF public_key ON sites
WHEN OLD.public_key IS NULL AND NEW.public_key IS NOT NULL
BEGIN
  UPDATE sites SET told_generation = (SELECT value FROM system WHERE key = 'generation') WHERE id = NEW.id;
END;
