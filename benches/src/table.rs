//! Tables for the terminal and for Markdown.

/// A table.
pub struct Table {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(heads: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            heads: heads.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// As Markdown, or aligned for reading.
    pub fn text(&self, markdown: bool) -> String {
        if markdown {
            let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
            let rule = format!("|{}\n", "---|".repeat(self.heads.len()));
            let rows: String = self.rows.iter().map(|row| line(row)).collect();
            return line(&self.heads) + &rule + &rows;
        }
        let all = || std::iter::once(&self.heads).chain(&self.rows);
        let width = |column: usize| {
            let cells = all().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let mut out = String::new();
        for row in all() {
            let cells = row.iter().zip(&widths).enumerate();
            let cells: Vec<String> = cells
                .map(|(column, (cell, width))| match column {
                    0 | 1 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                })
                .collect();
            out.push_str(cells.join("  ").trim_end());
            out.push('\n');
        }
        out
    }
}

/// A number with three significant digits, without an exponent.
pub fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let digits = value.abs().log10().floor() as i32;
    let decimals = usize::try_from(2 - digits).unwrap_or(0);
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_styles() {
        let mut table = Table::new(["a", "b", "c"]);
        table.push(vec!["x".into(), "yy".into(), "1".into()]);
        assert_eq!(
            table.text(true),
            "| a | b | c |\n|---|---|---|\n| x | yy | 1 |\n"
        );
        assert_eq!(table.text(false), "a  b   c\nx  yy  1\n");
    }

    #[test]
    fn three_digits() {
        assert_eq!(short(0.012_345), "0.0123");
        assert_eq!(short(1.2345), "1.23");
        assert_eq!(short(123.45), "123");
        assert_eq!(short(123_456.0), "123456");
    }
}
