-- A number that its client had listed before (or lists too) and whose recipient asked to be removed: how it was listed.
-- Undoing what was asked leaves that.
ALTER TABLE suppressions ADD COLUMN listed_as TEXT;
--> statement-breakpoint
-- What was asked up to then, by the phone's clock, was undone: told once more, it is not heard again.
ALTER TABLE replies ADD COLUMN undone_until INTEGER;
--> statement-breakpoint
-- Counted with every look at a campaign.
CREATE INDEX `replies_waiting` ON `replies` (`campaign`) WHERE state = 'waiting';
--> statement-breakpoint
-- A waiver was given to what its client may still rewrite: it ends, and can be given anew once that was sent.
INSERT INTO audit_log (at, kind, campaign, data)
  SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER), 'hours_restored', id, '{}' FROM campaigns
  WHERE hours_waived_at IS NOT NULL AND status IN ('draft', 'ready');
--> statement-breakpoint
UPDATE campaigns SET hours_waived_at = NULL, hours_waived_by = NULL, hours_waived_why = NULL
  WHERE hours_waived_at IS NOT NULL AND status IN ('draft', 'ready');
