import type { catalogue as ar } from "../ar/catalogue";

export const catalogue: Record<keyof typeof ar, string> = {
};
