-- Privacy (no invariant). A test to oneself uses the values of a recipient, whose number is not its own: neither erasure
-- nor retention would look for them there. So they go when the test has ended.
CREATE TRIGGER campaigns_test_values AFTER UPDATE OF status ON campaigns
WHEN NEW.test_of IS NOT NULL AND OLD.status <> NEW.status
  AND NEW.status IN ('completed', 'completed_with_errors', 'failed', 'cancelled')
BEGIN
  UPDATE deliveries SET fields = NULL WHERE campaign = NEW.id AND fields IS NOT NULL;
END;
