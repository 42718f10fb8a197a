-- Advertising is sent with the words that the law adds, and within its hours.

-- A process of an earlier release knows nothing of these words. It must not send advertising without them.
CREATE TRIGGER campaigns_words_composed BEFORE UPDATE OF status ON campaigns
WHEN OLD.status = 'ready' AND NEW.status = 'processing' AND NEW.kind = 'marketing' AND NEW.sent_text IS NULL
BEGIN
  SELECT RAISE(ABORT, 'advertising is not sent without its composed words');
END;

-- Hours are waived for a service message. A campaign that becomes advertising loses the waiver, also when it becomes a
-- service message again.
CREATE TRIGGER campaigns_waiver_of_service AFTER UPDATE OF kind ON campaigns
WHEN NEW.kind = 'marketing' AND NEW.hours_waived_at IS NOT NULL
BEGIN
  UPDATE campaigns SET hours_waived_at = NULL, hours_waived_by = NULL, hours_waived_why = NULL WHERE id = NEW.id;
END;
