export const catalogue = {
};
