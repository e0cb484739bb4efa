package guest

// riyalPath is the SVG path of the riyal sign as published by the Saudi Central
// Bank, in a box of 1124.14 × 1256.39. Few fonts have U+20C1 yet.
const riyalPath = "M699.62 1113.02c-20.06 44.48-33.32 92.75-38.4 143.37l424.51-90.24c20.06-44.47 33.31-92.75 38.4-143.37z" +
	"M1085.73 895.8c20.06-44.47 33.32-92.75 38.4-143.37l-330.68 70.33l0-135.2l292.27-62.11" +
	"c20.06-44.47 33.32-92.75 38.4-143.37l-330.68 70.27l0-485.59c-50.67 28.45-95.67 66.32-132.25 110.99l0 403.35" +
	"l-132.25 28.11l0-608.58c-50.67 28.44-95.67 66.32-132.25 110.99l0 525.69l-295.91 62.88" +
	"c-20.06 44.47-33.33 92.75-38.42 143.37l334.33-71.05l0 170.26l-358.3 76.14c-20.06 44.47-33.32 92.75-38.4 143.37" +
	"l375.04-79.7c30.53-6.35 56.77-24.4 73.83-49.24l68.78-101.97c7.14-10.55 11.3-23.27 11.3-36.97l0-149.98" +
	"l132.25-28.11l0 270.4z"

// riyal is an amount in riyals, written with the sign to its left in both
// languages. Label is read by screen readers in place of the sign.
type riyal struct{ Path, Label string }
