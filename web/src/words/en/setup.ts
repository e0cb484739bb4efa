import type { setup as ar } from "../ar/setup";

export const setup: Record<keyof typeof ar, string> = {
};
