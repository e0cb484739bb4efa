export const tools = {
};
