// Package tafqit writes amounts of money in words (التفقيط), in Arabic and in
// English.
//
// The Arabic follows the grammar of counted nouns: three to ten govern the plural
// and have the opposite gender of the noun, eleven to ninety-nine govern the
// accusative singular, hundreds and thousands the genitive singular, and a dual
// loses its final nun before the noun that it governs. After a hundred or a
// thousand, one and two repeat the noun: «مئة ريال سعودي وريال سعودي واحد».
//
// Currencies whose forms are not in the table of this package are written with
// their ISO 4217 code. Amounts are exact; nothing is rounded.
package tafqit
