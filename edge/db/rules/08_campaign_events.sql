-- I8: screens learn of every change of a campaign's status. Such a change writes a live event in the same commit.

-- Carriers of messages by call are no campaigns to anybody who looks.
CREATE TRIGGER campaigns_status_event AFTER UPDATE OF status ON campaigns
WHEN OLD.status <> NEW.status AND NEW.carrier_until IS NULL
BEGIN
  INSERT INTO events (at, type, client, campaign, data) VALUES (
    NEW.updated_at,
    CASE
      WHEN OLD.status = 'processing' AND NEW.status = 'active' THEN 'campaign_started'
      WHEN NEW.status = 'completed' THEN 'campaign_completed'
      WHEN NEW.status IN ('completed_with_errors', 'failed', 'cancelled') THEN 'campaign_ended'
      WHEN NEW.status = 'paused' THEN 'campaign_paused'
      ELSE 'campaign_changed' END,
    NEW.client, NEW.id,
    json_object(
      'campaignId', NEW.id, 'name', NEW.name, 'status', NEW.status,
      'totalContacts', NEW.queued_count + NEW.leased_count + NEW.sent_count + NEW.failed_count
        + NEW.unknown_count + NEW.skipped_count + NEW.cancelled_count,
      'sentCount', NEW.sent_count, 'completedAt', NEW.completed_at,
      'counts', json_object(
        'queued', NEW.queued_count, 'leased', NEW.leased_count, 'sent', NEW.sent_count,
        'failed', NEW.failed_count, 'unknown', NEW.unknown_count, 'skipped', NEW.skipped_count,
        'cancelled', NEW.cancelled_count)));
END;

-- Keeps the id of a client's newest event: while it is the same, the client's campaign list need not be read again.
CREATE TRIGGER events_change_no AFTER INSERT ON events
WHEN NEW.client IS NOT NULL
BEGIN
  UPDATE users SET change_no = NEW.id WHERE id = NEW.client;
END;
