-- I2: what was approved is exactly what may go. The words, the picture, the kind and the time of a campaign, its imports
-- and its client's details as an advertiser each make a new revision, and an approval is of one revision. Removals and
-- erasure make none.

CREATE TRIGGER campaigns_revision AFTER UPDATE OF message, image, kind, planned_at ON campaigns
WHEN OLD.message <> NEW.message OR OLD.image IS NOT NEW.image OR OLD.kind <> NEW.kind
  OR OLD.planned_at IS NOT NEW.planned_at
BEGIN
  UPDATE campaigns SET revision = revision + 1 WHERE id = NEW.id;
END;

-- An import adds people, and may give values to people who are there. Nothing is approved between its two ends.
CREATE TRIGGER imports_revision AFTER INSERT ON imports
WHEN NEW.campaign IS NOT NULL
BEGIN
  UPDATE campaigns SET revision = revision + 1 WHERE id = NEW.campaign;
END;

CREATE TRIGGER imports_end_revision AFTER UPDATE OF status ON imports
WHEN OLD.status = 'processing' AND NEW.status <> 'processing' AND NEW.campaign IS NOT NULL
BEGIN
  UPDATE campaigns SET revision = revision + 1 WHERE id = NEW.campaign;
END;

-- Only unsent campaigns: a plan keeps the details that were fixed at planning.
CREATE TRIGGER advertisers_revision AFTER UPDATE OF name, address, contact_phone, contact_email, removal_link ON advertisers
BEGIN
  UPDATE campaigns SET revision = revision + 1
  WHERE client = NEW.client AND kind = 'marketing' AND status IN ('draft', 'ready');
END;

-- A client whose day passes the setting `approvalFrom` starts nothing more of that day without an approval; what the
-- client pressed before counts (edge/queue/approval.ts asks the same before).
CREATE TRIGGER campaigns_approved BEFORE UPDATE OF status ON campaigns
WHEN NEW.status = 'processing' AND OLD.status IN ('ready', 'scheduled') AND NEW.test_of IS NULL
  AND coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'approvalFrom'), 0) > 0
  AND EXISTS (SELECT 1 FROM users WHERE id = NEW.client AND role = 'client')
  AND NEW.reserved + coalesce((SELECT sum(o.reserved) FROM campaigns o
      WHERE o.client = NEW.client AND o.send_day = NEW.send_day AND o.id <> NEW.id AND o.test_of IS NULL
        AND (o.send_at IS NOT NULL OR o.status = 'scheduled') AND o.pressed_at <= NEW.pressed_at), 0)
    > (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'approvalFrom')
  AND NOT EXISTS (SELECT 1 FROM approvals a
    WHERE a.campaign = NEW.id AND a.revision = NEW.revision AND a.state = 'approved')
BEGIN
  SELECT RAISE(ABORT, 'a send without its approval');
END;

CREATE TRIGGER campaigns_approvals_gone AFTER DELETE ON campaigns
BEGIN
  DELETE FROM approvals WHERE campaign = OLD.id;
END;
