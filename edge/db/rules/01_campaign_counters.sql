-- I7: the counters of a campaign are the sums of its deliveries' states. A change of a delivery's state updates them.
-- SQLite fires the newest trigger first, so this first file fires last: 17_campaign_end.sql, which these counters fire,
-- runs after the other rules for the row.

-- Cancelling a campaign counts and refunds all its queued rows at once; the rows themselves move later, in slices.
-- Such a later move (queued to cancelled, never resent, campaign cancelled) is already counted.
CREATE TRIGGER deliveries_counters AFTER UPDATE OF state ON deliveries
WHEN OLD.state <> NEW.state AND NOT (
  OLD.state = 'queued' AND NEW.state = 'cancelled' AND OLD.resent = 0
  AND (SELECT status FROM campaigns WHERE id = NEW.campaign) = 'cancelled'
)
BEGIN
  UPDATE campaigns SET
    queued_count = queued_count + (NEW.state = 'queued') - (OLD.state = 'queued'),
    leased_count = leased_count + (NEW.state = 'leased') - (OLD.state = 'leased'),
    sent_count = sent_count + (NEW.state = 'sent') - (OLD.state = 'sent'),
    failed_count = failed_count + (NEW.state = 'failed') - (OLD.state = 'failed'),
    unknown_count = unknown_count + (NEW.state = 'unknown') - (OLD.state = 'unknown'),
    skipped_count = skipped_count + (NEW.state = 'skipped') - (OLD.state = 'skipped'),
    cancelled_count = cancelled_count + (NEW.state = 'cancelled') - (OLD.state = 'cancelled'),
    last_sent_at = CASE WHEN NEW.state = 'sent' THEN NEW.updated_at ELSE last_sent_at END,
    -- From the first lease on, the send cannot be taken back (07_legal_moves.sql).
    first_leased_at = CASE WHEN NEW.state = 'leased' THEN coalesce(first_leased_at, NEW.updated_at)
      ELSE first_leased_at END,
    updated_at = NEW.updated_at
  WHERE id = NEW.campaign;
END;

-- Counts deliveries skipped because their recipient had another marketing message lately, and those skipped because
-- the recipient lacks a value that the message needs.
CREATE TRIGGER deliveries_capped AFTER UPDATE OF state ON deliveries
WHEN (NEW.state = 'skipped' AND NEW.reason IN ('frequency_cap', 'value_missing'))
  OR (OLD.state = 'skipped' AND OLD.reason IN ('frequency_cap', 'value_missing'))
BEGIN
  UPDATE campaigns SET
    capped_count = capped_count + (NEW.state = 'skipped' AND NEW.reason IS 'frequency_cap')
      - (OLD.state = 'skipped' AND OLD.reason IS 'frequency_cap'),
    valueless_count = valueless_count + (NEW.state = 'skipped' AND NEW.reason IS 'value_missing')
      - (OLD.state = 'skipped' AND OLD.reason IS 'value_missing')
  WHERE id = NEW.campaign;
END;

-- After a send was taken back, its list can be taken out.
CREATE TRIGGER deliveries_capped_gone AFTER DELETE ON deliveries
WHEN OLD.state = 'skipped' AND OLD.reason IN ('frequency_cap', 'value_missing')
BEGIN
  UPDATE campaigns SET
    capped_count = capped_count - (OLD.reason = 'frequency_cap'),
    valueless_count = valueless_count - (OLD.reason = 'value_missing')
  WHERE id = OLD.campaign AND status IN ('draft', 'ready');
END;

-- Counts numbers left out because nobody declared their consent to advertising.
CREATE TRIGGER unconsented_added AFTER INSERT ON unconsented
BEGIN
  UPDATE campaigns SET unconsented_count = unconsented_count + 1 WHERE id = NEW.campaign;
END;

CREATE TRIGGER unconsented_removed AFTER DELETE ON unconsented
BEGIN
  UPDATE campaigns SET unconsented_count = unconsented_count - 1 WHERE id = OLD.campaign;
END;
