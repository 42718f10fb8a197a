-- I1: a campaign ends when none of its deliveries is queued or leased. A change of its counters fires this rule, which
-- writes the status and the time of the end. A resend opens the campaign again; late outcomes may change how it ended.
-- SQLite fires the newest trigger first, so this last file fires first.
-- A carrier of messages by call ends only after its day; edge/messages/end_carriers.ts ends those that were idle then.

CREATE TRIGGER campaigns_derived_end AFTER UPDATE OF
  queued_count, leased_count, sent_count, failed_count, unknown_count, skipped_count, cancelled_count ON campaigns
WHEN (NEW.status = 'active' OR NEW.status = 'processing' OR NEW.status = 'paused'
    OR NEW.status = 'completed' OR NEW.status = 'completed_with_errors' OR NEW.status = 'failed')
  AND NEW.status <> CASE
    WHEN NEW.carrier_until > NEW.updated_at AND NEW.completed_at IS NULL THEN NEW.status
    WHEN NEW.queued_count + NEW.leased_count > 0 THEN
      CASE WHEN NEW.status = 'completed' OR NEW.status = 'completed_with_errors' OR NEW.status = 'failed'
        THEN 'active' ELSE NEW.status END
    WHEN NEW.sent_count > 0
      AND NEW.failed_count + NEW.unknown_count + NEW.skipped_count + NEW.cancelled_count = 0 THEN 'completed'
    WHEN NEW.sent_count + NEW.unknown_count > 0 THEN 'completed_with_errors'
    ELSE 'failed' END
BEGIN
  UPDATE campaigns SET
    status = CASE
      WHEN queued_count + leased_count > 0 THEN 'active'
      WHEN sent_count > 0 AND failed_count + unknown_count + skipped_count + cancelled_count = 0 THEN 'completed'
      WHEN sent_count + unknown_count > 0 THEN 'completed_with_errors'
      ELSE 'failed' END,
    completed_at = CASE WHEN queued_count + leased_count > 0 THEN NULL ELSE coalesce(completed_at, updated_at) END,
    paused_by = NULL
  WHERE id = NEW.id;
END;
