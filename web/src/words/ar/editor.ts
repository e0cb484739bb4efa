export const editor = {
};
