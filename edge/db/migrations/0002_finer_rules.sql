-- Who may make a move, and of what: LEGAL_MOVES of shared/delivery.ts; rules_test.ts compares every combination.
-- by: 0 edge, 1 site, 2 person, 3 clock or revoked, 4 journal lost, 5 earlier doubt, 6 journal doubted.
DROP TRIGGER deliveries_legal_move;
--> statement-breakpoint
CREATE TRIGGER deliveries_legal_move BEFORE UPDATE OF state, by ON deliveries
WHEN (OLD.state <> NEW.state OR OLD.by <> NEW.by) AND NOT CASE OLD.state || '>' || NEW.state
  WHEN 'queued>leased' THEN NEW.by = 0
  WHEN 'leased>sent' THEN NEW.by = 1
  WHEN 'leased>queued' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>failed' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>cancelled' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>skipped' THEN NEW.by = 0 AND OLD.acked_at IS NULL
  WHEN 'leased>unknown' THEN NEW.by IN (1, 5) OR (NEW.by IN (3, 4, 6) AND OLD.acked_at IS NOT NULL)
  WHEN 'queued>cancelled' THEN NEW.by = 0
  WHEN 'queued>skipped' THEN NEW.by = 0
  WHEN 'queued>sent' THEN NEW.by = 1
  WHEN 'queued>unknown' THEN NEW.by IN (1, 5)
  WHEN 'unknown>sent' THEN NEW.by IN (1, 2)
  WHEN 'unknown>failed' THEN NEW.by = 2 OR (NEW.by = 1 AND OLD.by IN (1, 3, 4, 5))
  WHEN 'unknown>queued' THEN NEW.by = 2 OR (NEW.by = 1 AND OLD.by IN (1, 3, 4))
  WHEN 'unknown>cancelled' THEN NEW.by = 1 AND OLD.by IN (1, 3, 4)
  WHEN 'unknown>unknown' THEN (NEW.by = 1 AND OLD.by IN (3, 4)) OR (NEW.by IN (5, 6) AND OLD.by IN (1, 3, 4))
  WHEN 'sent>sent' THEN NEW.by = 1 AND OLD.by = 2
  WHEN 'sent>failed' THEN NEW.by = 1 AND OLD.by = 2
  WHEN 'sent>unknown' THEN NEW.by = 5 AND OLD.by = 2
  WHEN 'failed>sent' THEN NEW.by = 1
  WHEN 'skipped>sent' THEN NEW.by = 1
  WHEN 'skipped>unknown' THEN NEW.by = 1
  WHEN 'cancelled>sent' THEN NEW.by = 1
  WHEN 'cancelled>unknown' THEN NEW.by = 1
  ELSE 0 END
BEGIN
  SELECT RAISE(ABORT, 'illegal move of a delivery');
END;
--> statement-breakpoint
-- The evidence trail also holds what sites did not say: by = who, and outcome = the state the delivery came to.
-- A site's word (by 1) says with result whether it was taken. leased_at and acked_at are those of the attempt.
ALTER TABLE attempts ADD COLUMN by INTEGER NOT NULL DEFAULT 1;
--> statement-breakpoint
ALTER TABLE attempts ADD COLUMN result TEXT;
--> statement-breakpoint
ALTER TABLE attempts ADD COLUMN leased_at INTEGER;
--> statement-breakpoint
ALTER TABLE attempts ADD COLUMN acked_at INTEGER;
--> statement-breakpoint
DROP INDEX attempts_once;
--> statement-breakpoint
CREATE UNIQUE INDEX attempts_once ON attempts (token, phone, outcome) WHERE by = 1;
--> statement-breakpoint
-- What a site says is kept by whoever hears it. A delivery that was never leased tells its whole story itself, and
-- so does a first try that succeeds: neither writes a line.
CREATE TRIGGER deliveries_history AFTER UPDATE OF state, by ON deliveries
WHEN NEW.by <> 1 AND NEW.state <> 'leased' AND (OLD.state <> NEW.state OR OLD.by <> NEW.by) AND OLD.token IS NOT NULL
BEGIN
  INSERT INTO attempts (campaign, phone, attempt, token, site, account, by, outcome, reason, leased_at, acked_at, at)
  VALUES (NEW.campaign, NEW.phone, NEW.attempt, NEW.token, NEW.site, NEW.account, NEW.by, NEW.state, NEW.reason,
    NEW.leased_at, NEW.acked_at, NEW.updated_at);
END;
--> statement-breakpoint
-- An attempt given up on while its site's journal was doubted: only sent, or a person, ends that doubt.
ALTER TABLE resends ADD COLUMN doubted INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Connections that were alive when another with the same key took their place, since when.
ALTER TABLE sites ADD COLUMN superseded_count INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE sites ADD COLUMN superseded_since INTEGER NOT NULL DEFAULT 0;
