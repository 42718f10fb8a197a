/** "+972543710968" → "+97254•••0968": enough to recognise a number one knows, too little to call it. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, -7)}•••${phone.slice(-4)}`;
}
