-- Advertising is sent with what the law adds, frozen as it is sent. A process of a release before that knows nothing of
-- it: what it would send bare is not sent.
CREATE TRIGGER campaigns_words_composed BEFORE UPDATE OF status ON campaigns
WHEN OLD.status = 'ready' AND NEW.status = 'processing' AND NEW.kind = 'marketing' AND NEW.sent_text IS NULL
BEGIN
  SELECT RAISE(ABORT, 'advertising is not sent without its composed words');
END;
--> statement-breakpoint
-- A client's own evidence is exported without reading everybody's.
CREATE INDEX `consents_client` ON `consents` (`client`,`id`);
