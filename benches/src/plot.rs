//! Plots with logarithmic axes, as SVG.

use std::fmt::Write;

/// Points `(x, y)`, both positive, joined by a line.
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// Points in ascending order.
    pub points: Vec<(f64, f64)>,
}

/// A plot.
pub struct Plot {
    /// Above the plot.
    pub title: String,
    /// Below the horizontal axis.
    pub x: String,
    /// Beside the vertical axis.
    pub y: String,
    /// What is drawn.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 640.0;
/// Without the legend, which is below.
const HEIGHT: f64 = 420.0;
/// Space for the labels on the left, above, on the right and below.
const MARGINS: [f64; 4] = [70.0, 40.0, 20.0, 50.0];
const COLOURS: [&str; 6] = [
    "#1f5fa8", "#c8501e", "#2e8b57", "#8a3ea0", "#b08a00", "#555555",
];
const LEGEND_LINE: f64 = 16.0;

/// A logarithmic axis over whole powers of ten.
struct Axis {
    /// Powers of ten at the ends.
    powers: (i32, i32),
    /// Places of the ends.
    ends: (f64, f64),
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone, ends: (f64, f64)) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor() as i32;
        let high = values.fold(0.0, f64::max).log10().ceil() as i32;
        Self {
            powers: (low, high.max(low.saturating_add(1))),
            ends,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let (low, high) = (f64::from(self.powers.0), f64::from(self.powers.1));
        let share = (value.log10() - low) / (high - low);
        self.ends.0 + share * (self.ends.1 - self.ends.0)
    }

    /// Values of the marks and their labels.
    fn marks(&self) -> impl Iterator<Item = (f64, String)> {
        (self.powers.0..=self.powers.1).map(|power| {
            let value = 10f64.powi(power);
            let label = match power {
                -4..=5 => format!("{value}"),
                _ => format!("1e{power}"),
            };
            (value, label)
        })
    }
}

impl Plot {
    /// The plot as an SVG file; what is not positive is left out.
    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = MARGINS;
        let good = |p: &&(f64, f64)| p.0 > 0.0 && p.1 > 0.0;
        let all = || self.series.iter().flat_map(|s| &s.points).filter(good);
        let x = Axis::of(all().map(|p| p.0), (left, WIDTH - right));
        let y = Axis::of(all().map(|p| p.1), (HEIGHT - bottom, top));
        let height = HEIGHT + LEGEND_LINE * self.series.len() as f64;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        let text = |x: f64, y: f64, anchor: &str, more: &str, what: &str| {
            let what = escaped(what);
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{what}</text>\n"
            )
        };
        let mut body = text(
            WIDTH / 2.0,
            22.0,
            "middle",
            " font-size=\"15\"",
            &self.title,
        );
        body += &text(
            (left + WIDTH - right) / 2.0,
            HEIGHT - 12.0,
            "middle",
            "",
            &self.x,
        );
        let (turn_x, turn_y) = (18.0, (top + HEIGHT - bottom) / 2.0);
        let turned = format!(" transform=\"rotate(-90 {turn_x} {turn_y})\"");
        body += &text(turn_x, turn_y, "middle", &turned, &self.y);
        for (value, label) in x.marks() {
            let at = x.place(value);
            body += &grid((at, at), y.ends);
            body += &text(at, HEIGHT - bottom + 16.0, "middle", "", &label);
        }
        for (value, label) in y.marks() {
            let at = y.place(value);
            body += &grid(x.ends, (at, at));
            body += &text(left - 6.0, at + 4.0, "end", "", &label);
        }
        for (index, series) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let places = series.points.iter().filter(good);
            let places: Vec<(f64, f64)> = places.map(|p| (x.place(p.0), y.place(p.1))).collect();
            let path: Vec<String> = places
                .iter()
                .map(|p| format!("{:.1},{:.1}", p.0, p.1))
                .collect();
            let path = path.join(" ");
            let _ = writeln!(
                body,
                "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
            );
            for p in places {
                let _ = writeln!(
                    body,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
                    p.0, p.1
                );
            }
            let line = HEIGHT + LEGEND_LINE * (index as f64 + 0.5);
            let fill = format!(" fill=\"{colour}\"");
            body += &text(left, line, "start", &fill, &series.name);
        }
        out.push_str(&body);
        out.push_str("</svg>\n");
        out
    }
}

fn grid(x: (f64, f64), y: (f64, f64)) -> String {
    let [(x1, x2), (y1, y2)] = [x, y];
    format!(
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#dddddd\"/>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_they_belong() {
        let axis = Axis::of([0.5, 200.0].into_iter(), (0.0, 400.0));
        assert_eq!(axis.powers, (-1, 3));
        assert!((axis.place(1.0) - 100.0).abs() < 1e-9);
        let plot = Plot {
            title: "a < b".into(),
            x: "x".into(),
            y: "y".into(),
            series: vec![Series {
                name: "s".into(),
                points: vec![(1.0, 10.0), (100.0, 0.0), (10.0, 1000.0)],
            }],
        };
        let svg = plot.svg();
        assert!(svg.contains("a &lt; b"));
        assert_eq!(
            svg.matches("<circle").count(),
            2,
            "what is not positive is left out"
        );
    }
}
