-- I2: each recipient gets exactly one of a campaign's texts. A row's text is set at its first claim and never changes,
-- also when it is sent again. What came of each text is counted beside it.

CREATE TRIGGER deliveries_variant_kept BEFORE UPDATE OF variant ON deliveries
WHEN OLD.variant IS NOT NULL AND NEW.variant IS NOT OLD.variant
BEGIN
  SELECT RAISE(ABORT, 'the text of a delivery never changes');
END;

CREATE TRIGGER deliveries_variant_counted AFTER UPDATE OF state ON deliveries
WHEN NEW.variant IS NOT NULL AND OLD.state <> NEW.state
  AND (OLD.state IN ('sent', 'failed', 'unknown') OR NEW.state IN ('sent', 'failed', 'unknown'))
BEGIN
  UPDATE sent_variants SET
    sent = sent + (NEW.state = 'sent') - (OLD.state = 'sent'),
    failed = failed + (NEW.state = 'failed') - (OLD.state = 'failed'),
    unknown = unknown + (NEW.state = 'unknown') - (OLD.state = 'unknown')
  WHERE campaign = NEW.campaign AND no = NEW.variant;
END;
