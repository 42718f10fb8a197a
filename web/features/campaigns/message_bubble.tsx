interface MessageBubbleProps {
  message: string;
  image?: { url: string; label: string };
}

const LOOK = "bubble whitespace-pre-wrap [unicode-bidi:plaintext]";

/** Shows the message as its reader will see it: line breaks and spaces kept, each paragraph in its own direction. */
export function MessageBubble({ message, image }: MessageBubbleProps) {
  if (!image) return <div className={LOOK}>{message}</div>;
  return (
    <div className={`${LOOK} p-1.5`}>
      <img src={image.url} alt={image.label} className="max-h-80 w-full rounded-[0.625rem] object-cover" />
      {message && <div className="px-1.5 pt-2 pb-0.5 [unicode-bidi:plaintext]">{message}</div>}
    </div>
  );
}
