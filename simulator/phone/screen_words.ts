import type { ScreenLanguage } from "./traits.ts";

/** The words on a phone's screens, by its language. Ids are the same in every language, words are not. */
export interface ScreenWords {
  message: string;
  caption: string;
  send: string;
  voiceMessage: string;
  photo: string;
  pending: string;
  sent: string;
  delivered: string;
  ok: string;
  cancel: string;
  readMore: string;
  notOnApp(number: string): string;
  shareWith(name: string): string;
  smsDefault: string;
  /** Words that no screen file of the agent has. */
  news: string;
  mayNotify: string;
  notResponding: string;
  openWith: string;
  banned: string;
  restricted: string;
  verify: string;
  enterPin: string;
}

const ENGLISH: ScreenWords = {
  message: "Message",
  caption: "Add a caption…",
  send: "Send",
  voiceMessage: "Voice message",
  photo: "Photo",
  pending: "Pending",
  sent: "Sent",
  delivered: "Delivered",
  ok: "OK",
  cancel: "Cancel",
  readMore: "Read more",
  notOnApp: (number) => `The phone number ${number} isn't on WhatsApp.`,
  shareWith: (name) => `Send to ${name}?`,
  smsDefault: "Make this your default SMS app?",
  news: "You can now sort chats into folders. Switch to the new view?",
  mayNotify: "Allow WhatsApp to send you notifications?",
  notResponding: "WhatsApp isn't responding",
  openWith: "Open with",
  banned: "This account is not allowed to use WhatsApp due to spam",
  restricted: "Your account is temporarily restricted from starting new chats",
  verify: "Verify your phone number",
  enterPin: "Enter PIN",
};

const HEBREW: ScreenWords = {
  message: "הודעה",
  caption: "הוספת כיתוב…",
  send: "שליחה",
  voiceMessage: "הודעה קולית",
  photo: "תמונה",
  pending: "בהמתנה",
  sent: "נשלחה",
  delivered: "נמסרה",
  ok: "אישור",
  cancel: "ביטול",
  readMore: "קראו עוד",
  notOnApp: (number) => `מספר הטלפון ${number} לא רשום ב-WhatsApp.`,
  shareWith: (name) => `לשלוח אל ${name}?`,
  smsDefault: "להגדיר כאפליקציית ברירת המחדל למסרונים?",
  news: "מעכשיו אפשר לסדר צ׳אטים בתיקיות. לעבור לתצוגה החדשה?",
  mayNotify: "לאפשר ל-WhatsApp לשלוח לך התראות?",
  notResponding: "WhatsApp לא מגיבה",
  openWith: "פתיחה באמצעות",
  banned: "החשבון הזה אינו מורשה להשתמש ב-WhatsApp בגלל ספאם",
  restricted: "החשבון שלך הוגבל זמנית ולא ניתן לפתוח שיחות חדשות",
  verify: "אימות מספר הטלפון",
  enterPin: "יש להזין קוד אימות של המכשיר",
};

const ARABIC: ScreenWords = {
  message: "مراسلة",
  caption: "إضافة شرح…",
  send: "إرسال",
  voiceMessage: "رسالة صوتية",
  photo: "صورة",
  pending: "قيد الانتظار",
  sent: "تم الإرسال",
  delivered: "تم التسليم",
  ok: "موافق",
  cancel: "إلغاء",
  readMore: "قراءة المزيد",
  notOnApp: (number) => `رقم الهاتف ${number} غير مسجل في واتساب.`,
  shareWith: (name) => `الإرسال إلى ${name}؟`,
  smsDefault: "هل تريد جعله تطبيق الرسائل القصيرة الافتراضي؟",
  news: "يمكنك الآن ترتيب الدردشات في مجلدات. هل تريد التبديل؟",
  mayNotify: "هل تريد السماح لتطبيق واتساب بإرسال إشعارات؟",
  notResponding: "واتساب لا يستجيب",
  openWith: "فتح باستخدام",
  banned: "هذا الحساب غير مسموح له باستخدام واتساب",
  restricted: "حسابك مقيد مؤقتًا من بدء دردشات جديدة",
  verify: "تأكيد رقم هاتفك",
  enterPin: "أدخل رقم التعريف الشخصي",
};

const RUSSIAN: ScreenWords = {
  message: "Сообщение",
  caption: "Добавить подпись…",
  send: "Отправить",
  voiceMessage: "Голосовое сообщение",
  photo: "Фото",
  pending: "Ожидание",
  sent: "Отправлено",
  delivered: "Доставлено",
  ok: "ОК",
  cancel: "Отмена",
  readMore: "Читать далее",
  notOnApp: (number) => `Номер ${number} не зарегистрирован в WhatsApp.`,
  shareWith: (name) => `Отправить контакту ${name}?`,
  smsDefault: "Сделать приложением для SMS по умолчанию?",
  news: "Теперь чаты можно раскладывать по папкам. Включить новый вид?",
  mayNotify: "Разрешить приложению WhatsApp отправлять вам уведомления?",
  notResponding: "Приложение WhatsApp не отвечает",
  openWith: "Открыть с помощью",
  banned: "Этот аккаунт заблокирован из-за спама",
  restricted: "Ваш аккаунт временно ограничен: начинать новые чаты нельзя",
  verify: "Подтвердите свой номер телефона",
  enterPin: "Введите PIN-код",
};

/** No screen file of the agent has these words. */
const FRENCH: ScreenWords = {
  message: "Message",
  caption: "Ajouter une légende…",
  send: "Envoyer",
  voiceMessage: "Message vocal",
  photo: "Photo",
  pending: "En attente",
  sent: "Envoyé",
  delivered: "Distribué",
  ok: "OK",
  cancel: "Annuler",
  readMore: "Lire la suite",
  notOnApp: (number) => `Le numéro ${number} n'utilise pas WhatsApp.`,
  shareWith: (name) => `Partager avec ${name} ?`,
  smsDefault: "Choisir comme application SMS par défaut ?",
  news: "Vous pouvez classer vos discussions. Activer la nouvelle vue ?",
  mayNotify: "Autoriser WhatsApp à vous envoyer des notifications ?",
  notResponding: "WhatsApp ne répond pas",
  openWith: "Ouvrir avec",
  banned: "Ce compte n'est plus autorisé à utiliser WhatsApp",
  restricted: "Votre compte ne peut pas démarrer de nouvelles discussions",
  verify: "Vérifiez votre numéro de téléphone",
  enterPin: "Saisir le code PIN",
};

const WORDS: Record<ScreenLanguage, ScreenWords> = {
  he: HEBREW,
  en: ENGLISH,
  ar: ARABIC,
  ru: RUSSIAN,
  fr: FRENCH,
};

/** Returns the words of the app and the phone in a language. */
export function wordsOf(language: ScreenLanguage): ScreenWords {
  return WORDS[language];
}
