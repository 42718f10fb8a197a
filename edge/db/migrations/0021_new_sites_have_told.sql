-- A site that enrols has no past to tell: without a generation it could move anybody's rows by `outcomes` until it said
-- that it had told everything. A trigger, since an older edge that runs beside this one enrols sites as well.
CREATE TRIGGER sites_first_key AFTER UPDATE OF public_key ON sites
WHEN OLD.public_key IS NULL AND NEW.public_key IS NOT NULL
BEGIN
  UPDATE sites SET told_generation = (SELECT value FROM system WHERE key = 'generation') WHERE id = NEW.id;
END;
--> statement-breakpoint
-- So it is with sites that enrolled before. One that was written off since the last restore may still come and tell.
UPDATE sites SET told_generation = answered_generation
WHERE public_key IS NOT NULL AND answered_generation = (SELECT value FROM system WHERE key = 'generation')
  AND told_generation IS NOT answered_generation
  AND NOT EXISTS (SELECT 1 FROM audit_log w WHERE w.kind = 'site_written_off' AND w.site = sites.id
    AND w.id > coalesce((SELECT max(id) FROM audit_log WHERE kind = 'database_restored'), 0));
