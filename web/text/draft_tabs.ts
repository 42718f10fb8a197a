/** Words about one draft that is open in two tabs. */
export const DRAFT_TABS = {
  mirrored: {
    lead: "הטיוטה פתוחה גם בלשונית אחרת.",
    body: "זו אותה טיוטה: מה שנכתב שם מופיע גם כאן.",
  },
  apart: {
    lead: "הטיוטה השתנתה בלשונית אחרת.",
    body: "מה שכתוב כאן עוד לא נשמר, כדי לא לדרוס את מה שנכתב שם.",
  },
  takeTheirs: "להציג את מה שנכתב שם",
  keepMine: "לשמור את מה שכאן",
};
