//! Powers and logarithms by basic arithmetic, bit-identical on all machines and in all browsers, unlike the
//! platform-dependent standard library. For ratings and confidences, not for numbers near the limits of the
//! type.

const LN_2: f64 = std::f64::consts::LN_2;

/// Returns e to the power of `x`, with a relative error below 1e-14 except for tiny results.
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    if x < -700.0 {
        return 0.0;
    }
    // x = k ln 2 + r with |r| at most ln 2 / 2.
    let k = (x / LN_2).round();
    let r = x - k * LN_2;
    let mut sum = 1.0;
    let mut term = 1.0;
    for n in 1..=18 {
        term *= r / f64::from(n);
        sum += term;
    }
    let (base, steps) = if k < 0.0 { (0.5, -k) } else { (2.0, k) };
    for _ in 0..steps as u32 {
        sum *= base;
    }
    sum
}

/// Returns the natural logarithm: minus infinity for 0, NaN below.
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    // x = m 2^k with m between sqrt(1/2) and sqrt(2).
    let (mut m, mut k) = (x, 0.0);
    while m > std::f64::consts::SQRT_2 {
        m /= 2.0;
        k += 1.0;
    }
    while m < std::f64::consts::FRAC_1_SQRT_2 {
        m *= 2.0;
        k -= 1.0;
    }
    let z = (m - 1.0) / (m + 1.0);
    let square = z * z;
    let (mut sum, mut power) = (0.0, z);
    for n in 0..20 {
        sum += power / f64::from(2 * n + 1);
        power *= square;
    }
    k * LN_2 + 2.0 * sum
}

/// Returns 10 to the power of `x`.
#[must_use]
pub fn power_of_ten(x: f64) -> f64 {
    exp(x * std::f64::consts::LN_10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_the_standard_library(x in -50.0..50.0f64, y in 1e-9..1e9f64) {
            prop_assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13);
            prop_assert!((ln(y) - y.ln()).abs() < 1e-13 * (1.0 + y.ln().abs()));
        }

        #[test]
        fn every_number_ends(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            let _ = (exp(x), ln(x));
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert!((power_of_ten(0.25) - 1.778_279_410_038_922_8).abs() < 1e-14);
    }
}
