interface MessageBubbleProps {
  message: string;
  image?: { url: string; label: string };
}

/** The message as its reader will see it, line breaks kept. */
export function MessageBubble({ message, image }: MessageBubbleProps) {
  if (!image) return <div className="bubble">{message}</div>;
  return (
    <div className="bubble p-1.5">
      <img src={image.url} alt={image.label} className="max-h-80 w-full rounded-[0.625rem] object-cover" />
      {message && <div className="px-1.5 pt-2 pb-0.5">{message}</div>}
    </div>
  );
}
