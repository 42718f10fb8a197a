-- A chat keeps its sender (no invariant). A delivery that becomes sent notes in `senders` the account that wrote to the
-- number for this client; one that turns out not to be sent takes its own note back.

-- A test to oneself is not noted, and neither is a number that was forgotten. Of a row that was sent again, an earlier
-- attempt may be the one that arrived.
CREATE TRIGGER deliveries_sender_known AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'sent' AND OLD.state <> 'sent' AND NEW.account IS NOT NULL AND NEW.phone > 0
BEGIN
  INSERT INTO senders (client, phone, account, campaign, at)
  SELECT client, NEW.phone, CASE WHEN NEW.resent = 0 THEN NEW.account ELSE coalesce((
      SELECT a.account FROM resends r JOIN attempts a ON a.campaign = r.campaign AND a.phone = r.phone
        AND a.token = r.token AND a.account IS NOT NULL
      WHERE r.campaign = NEW.campaign AND r.phone = NEW.phone AND r.known = 2 ORDER BY a.id DESC LIMIT 1), NEW.account) END,
    id, NEW.updated_at FROM campaigns WHERE id = NEW.campaign AND test_of IS NULL
  ON CONFLICT (client, phone) DO UPDATE SET account = excluded.account, campaign = excluded.campaign,
    at = excluded.at WHERE excluded.at >= at;
END;

-- An older sender is forgotten with it.
CREATE TRIGGER deliveries_sender_unknown AFTER UPDATE OF state ON deliveries
WHEN OLD.state = 'sent' AND NEW.state <> 'sent'
BEGIN
  DELETE FROM senders WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
END;

-- A row that was left for a sender (`awaits`) takes its place in the list again as soon as that sender cannot take it.
CREATE TRIGGER accounts_left_in_vain AFTER UPDATE OF state, trip ON accounts
WHEN (NEW.state <> 'ok' AND OLD.state = 'ok') OR (NEW.trip IS NOT NULL AND OLD.trip IS NULL)
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND awaits = NEW.id AND not_before > 0
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

CREATE TRIGGER devices_left_in_vain AFTER UPDATE OF state, stopped, site_stopped ON devices
WHEN (NEW.state <> 'online' AND OLD.state = 'online') OR NEW.stopped > OLD.stopped
  OR (NEW.site_stopped IS 1 AND OLD.site_stopped IS NOT 1)
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before > 0
    AND awaits IN (SELECT id FROM accounts WHERE device = NEW.id)
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- A site's unconfirmed accounts rest together.
CREATE TRIGGER sites_left_in_vain AFTER UPDATE OF revoked, stopped, draining, unconfirmed_rest ON sites
WHEN NEW.revoked > OLD.revoked OR NEW.stopped > OLD.stopped OR NEW.draining > OLD.draining
  OR (NEW.unconfirmed_rest IS NOT NULL AND OLD.unconfirmed_rest IS NULL)
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before > 0
    AND awaits IN (SELECT id FROM accounts WHERE site = NEW.id AND (NEW.revoked OR NEW.stopped OR NEW.draining
      OR (confirmed_at IS NULL AND trusted = 0)))
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- Another campaign of the client found another sender meanwhile: the row is looked at again.
CREATE TRIGGER senders_left_for_another AFTER UPDATE OF account ON senders
WHEN NEW.account <> OLD.account
BEGIN
  UPDATE deliveries SET not_before = 0, awaits = NULL WHERE state = 'queued' AND phone = NEW.phone AND awaits = OLD.account
    AND campaign IN (SELECT id FROM campaigns WHERE client = NEW.client AND status IN ('processing', 'active', 'paused'));
END;

-- Without the setting nobody waits.
CREATE TRIGGER settings_sender_set AFTER INSERT ON settings
WHEN NEW.key = 'stickySender' AND NEW.value = 'false'
BEGIN
  UPDATE deliveries SET not_before = 0, awaits = NULL WHERE state = 'queued' AND awaits IS NOT NULL
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

CREATE TRIGGER settings_sender_changed AFTER UPDATE OF value ON settings
WHEN NEW.key = 'stickySender' AND NEW.value = 'false' AND OLD.value <> 'false'
BEGIN
  UPDATE deliveries SET not_before = 0, awaits = NULL WHERE state = 'queued' AND awaits IS NOT NULL
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;
