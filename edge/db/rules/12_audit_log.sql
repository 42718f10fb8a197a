-- The audit log (no invariant) is append-only: a delete, a change, or an insert with a seal is refused. Loaded quota,
-- ended imports and declarations of a campaign's kind write their entries here, so that no writer can forget them.
-- An entry names the API key that acted; json_patch() leaves out what is NULL.

CREATE TRIGGER audit_log_append_only BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- A row changes once: when it is sealed.
CREATE TRIGGER audit_log_written_once BEFORE UPDATE ON audit_log
WHEN NOT (OLD.hash IS NULL AND OLD.seal IS NULL AND NEW.hash IS NOT NULL AND NEW.seal IS NOT NULL
  AND NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.kind = OLD.kind AND NEW.actor IS OLD.actor
  AND NEW.actor_name IS OLD.actor_name AND NEW.campaign IS OLD.campaign AND NEW.site IS OLD.site
  AND NEW.device IS OLD.device AND NEW.user IS OLD.user AND NEW.data = OLD.data)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- A new row has no seal and replaces no row.
CREATE TRIGGER audit_log_nothing_replaced BEFORE INSERT ON audit_log
WHEN NEW.hash IS NOT NULL OR NEW.seal IS NOT NULL OR EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER quota_ledger_audit AFTER INSERT ON quota_ledger
WHEN NEW.kind IN ('grant', 'correction')
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, user, data) VALUES (NEW.at,
    CASE NEW.kind WHEN 'grant' THEN 'quota_changed' ELSE 'quota_corrected' END, NEW.actor,
    (SELECT username FROM users WHERE id = NEW.actor), NEW.client,
    json_patch(CASE NEW.kind WHEN 'grant' THEN json_object('delta', NEW.delta)
      ELSE json_object('delta', NEW.delta, 'reason', NEW.reason) END, json_object('byKey', NEW.by_key)));
END;

CREATE TRIGGER imports_audit AFTER UPDATE OF status ON imports
WHEN OLD.status <> NEW.status AND NEW.status IN ('completed', 'error') AND NEW.file_name <> ''
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data)
  SELECT NEW.updated_at, 'file_' || CASE NEW.status WHEN 'completed' THEN 'imported' ELSE 'refused' END,
    u.id, u.username, NEW.campaign, json_patch(json_object('file', NEW.file_name, 'import', NEW.id,
      'rows', NEW.total_rows, 'added', NEW.added, 'invalid', NEW.invalid), json_object('byKey', NEW.by_key))
  FROM (SELECT coalesce(NEW.user, (SELECT client FROM campaigns WHERE id = NEW.campaign)) AS id) by_whom
  LEFT JOIN users u ON u.id = by_whom.id;
END;

-- The actor is the person who made or edited the campaign (edited_by); an earlier release names none.
-- Records a campaign created without a declared kind; the next trigger records a change of the kind.
CREATE TRIGGER campaigns_undeclared_audit AFTER INSERT ON campaigns
WHEN NEW.kind = 'undeclared' AND NEW.test_of IS NULL AND NEW.status = 'draft'
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data) VALUES (NEW.created_at, 'campaign_undeclared',
    coalesce(NEW.edited_by, NEW.client),
    (SELECT username FROM users WHERE id = coalesce(NEW.edited_by, NEW.client)), NEW.id,
    json_patch('{}', json_object('byKey', NEW.edited_by_key)));
END;

CREATE TRIGGER campaigns_kind_audit AFTER UPDATE OF kind ON campaigns
WHEN NEW.kind <> OLD.kind
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data) VALUES (NEW.updated_at, 'campaign_kind_changed',
    coalesce(NEW.edited_by, NEW.client),
    (SELECT username FROM users WHERE id = coalesce(NEW.edited_by, NEW.client)), NEW.id,
    json_patch(json_object('kind', NEW.kind, 'was', OLD.kind), json_object('byKey', NEW.edited_by_key)));
END;
