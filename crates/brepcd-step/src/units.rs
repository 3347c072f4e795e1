//! Units and uncertainty of a representation context.

use crate::error::Read;
use crate::p21::{Entity, Exchange};

/// Factors from a context's units to millimetres and radians.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    /// Millimetres per length unit.
    pub length: f64,
    /// Radians per plane angle unit.
    pub angle: f64,
    /// Name of the length unit.
    pub name: String,
    /// The context's length uncertainty, millimetres.
    pub uncertainty: Option<f64>,
}

impl Default for Units {
    fn default() -> Self {
        Self {
            length: 1.0,
            angle: 1.0,
            name: "mm".to_owned(),
            uncertainty: None,
        }
    }
}

/// Millimetres per metre.
const METRE: f64 = 1000.0;
/// Longest chain of units defined by other units.
const MAX_CHAIN: usize = 8;

/// The quantity and the factor of a unit.
enum Unit {
    Length(f64, String),
    Angle(f64),
    Other,
}

/// Units of a representation context; `None` when it assigns none.
pub(crate) fn of_context(file: &Exchange, context: Entity<'_>) -> Read<Option<Units>> {
    let Some(assigned) = context.part("GLOBAL_UNIT_ASSIGNED_CONTEXT") else {
        return Ok(None);
    };
    let at = usize::from(assigned.len() > 1) * (assigned.len() - 1);
    let mut units = Units::default();
    let mut has_length = false;
    for id in assigned.references(at)? {
        match unit(file, file.get(id, &assigned)?, MAX_CHAIN)? {
            Unit::Length(factor, name) => {
                units.length = factor;
                units.name = name;
                has_length = true;
            }
            Unit::Angle(factor) => units.angle = factor,
            Unit::Other => {}
        }
    }
    if !has_length {
        return Ok(None);
    }
    if let Some(global) = context.part("GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT") {
        for id in global
            .references(global.len().saturating_sub(1))
            .unwrap_or_default()
        {
            let Some(measure) = file.find(id) else {
                continue;
            };
            let args = measure
                .part("MEASURE_WITH_UNIT")
                .unwrap_or_else(|| measure.args());
            let (Ok(value), Ok(unit_id)) = (args.real(0), args.reference(1)) else {
                continue;
            };
            let Some(entity) = file.find(unit_id) else {
                continue;
            };
            if let Ok(Unit::Length(factor, _)) = unit(file, entity, MAX_CHAIN) {
                let value = (value * factor).abs();
                units.uncertainty = Some(units.uncertainty.map_or(value, |u: f64| u.max(value)));
            }
        }
    }
    Ok(Some(units))
}

fn unit(file: &Exchange, entity: Entity<'_>, chain: usize) -> Read<Unit> {
    if chain == 0 {
        return Err(entity.fault("units are defined by each other in a circle"));
    }
    let length = entity.is("LENGTH_UNIT");
    let angle = entity.is("PLANE_ANGLE_UNIT");
    if let Some(si) = entity.part("SI_UNIT") {
        let at = si.len().saturating_sub(2);
        let (prefix, short) = prefix(si.word(at)).ok_or_else(|| si.fault("unknown SI prefix"))?;
        return Ok(match si.word(at + 1) {
            "METRE" => Unit::Length(prefix * METRE, format!("{short}m")),
            "RADIAN" => Unit::Angle(prefix),
            _ => Unit::Other,
        });
    }
    let Some(based) = entity.part("CONVERSION_BASED_UNIT") else {
        return Ok(Unit::Other);
    };
    if !length && !angle {
        return Ok(Unit::Other);
    }
    let at = based.len().saturating_sub(2);
    let measure = file.follow(&based, at + 1)?;
    let args = measure
        .part("MEASURE_WITH_UNIT")
        .unwrap_or_else(|| measure.args());
    let value = args.real(0)?;
    if value <= 0.0 {
        return Err(args.fault("a unit's conversion factor must be positive"));
    }
    Ok(match unit(file, file.follow(&args, 1)?, chain - 1)? {
        Unit::Length(factor, _) => {
            Unit::Length(value * factor, length_name(&based.text(at), value * factor))
        }
        Unit::Angle(factor) => Unit::Angle(value * factor),
        Unit::Other => Unit::Other,
    })
}

fn length_name(name: &str, factor: f64) -> String {
    let name = name.to_lowercase();
    match name.as_str() {
        "millimetre" | "millimeter" => "mm".to_owned(),
        "centimetre" | "centimeter" => "cm".to_owned(),
        "metre" | "meter" => "m".to_owned(),
        "inches" | "in" => "inch".to_owned(),
        "" => format!("{factor} mm"),
        _ => name,
    }
}

fn prefix(word: &str) -> Option<(f64, &'static str)> {
    Some(match word {
        "" => (1.0, ""),
        "EXA" => (1e18, "E"),
        "PETA" => (1e15, "P"),
        "TERA" => (1e12, "T"),
        "GIGA" => (1e9, "G"),
        "MEGA" => (1e6, "M"),
        "KILO" => (1e3, "k"),
        "HECTO" => (1e2, "h"),
        "DECA" => (1e1, "da"),
        "DECI" => (1e-1, "d"),
        "CENTI" => (1e-2, "c"),
        "MILLI" => (1e-3, "m"),
        "MICRO" => (1e-6, "µ"),
        "NANO" => (1e-9, "n"),
        "PICO" => (1e-12, "p"),
        "FEMTO" => (1e-15, "f"),
        "ATTO" => (1e-18, "a"),
        _ => return None,
    })
}
