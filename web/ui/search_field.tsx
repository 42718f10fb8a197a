import { Search } from "lucide-react";

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  inputMode?: "search" | "tel";
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

/** A field that filters a list while one types. */
export function SearchField(
  { label, placeholder = label, inputMode, value, onChange, className = "" }: SearchFieldProps,
) {
  return (
    <label className={`input ${className}`}>
      <Search className="size-4 text-ink-3" />
      <input
        type="search"
        inputMode={inputMode}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
