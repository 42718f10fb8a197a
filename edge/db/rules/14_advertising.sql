-- Lawful advertising (no invariant). Sending a marketing campaign without its composed words is refused. A campaign that
-- becomes marketing loses its waiver of the sending hours.

-- A process of an earlier release does not compose the words that the law requires, so the database refuses its send.
-- The words are fixed when a campaign is sent or planned. One that is paused may be older than this rule.
CREATE TRIGGER campaigns_words_composed BEFORE UPDATE OF status ON campaigns
WHEN OLD.status IN ('draft', 'ready', 'scheduled') AND NEW.status IN ('scheduled', 'processing', 'active')
  AND NEW.kind = 'marketing' AND NEW.sent_text IS NULL
BEGIN
  SELECT RAISE(ABORT, 'advertising is not sent without its composed words');
END;

-- The waiver was given for a service message. It does not return when the campaign becomes a service message again.
CREATE TRIGGER campaigns_waiver_of_service AFTER UPDATE OF kind ON campaigns
WHEN NEW.kind = 'marketing' AND NEW.hours_waived_at IS NOT NULL
BEGIN
  UPDATE campaigns SET hours_waived_at = NULL, hours_waived_by = NULL, hours_waived_why = NULL WHERE id = NEW.id;
END;
