import type { tools as ar } from "../ar/tools";

export const tools: Record<keyof typeof ar, string> = {
};
