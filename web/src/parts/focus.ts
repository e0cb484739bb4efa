import { useEffect } from "react";

/** Takes the reader to the first field with a problem, when a check or a response found some. */
export function useFocusProblem(...causes: unknown[]) {
  useEffect(() => {
    if (causes.some(Boolean)) document.querySelector<HTMLElement>("input[aria-invalid=true], select[aria-invalid=true], textarea[aria-invalid=true]")?.focus();
  }, causes);
}
