import type { editor as ar } from "../ar/editor";

export const editor: Record<keyof typeof ar, string> = {
};
