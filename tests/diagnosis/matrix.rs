//! The confusion matrix: rows are a person's labels, columns the program's.

use pithead_core::domain::experience::diagnosis::FailureReason as R;

/// Columns: the 11 reasons, and success.
const COLUMNS: usize = R::ALL.len() + 1;

#[derive(Debug, Default, Clone)]
pub(crate) struct Matrix([[u32; COLUMNS]; R::ALL.len()]);

fn at(reason: R) -> usize {
    R::ALL.iter().position(|known| *known == reason).unwrap()
}

impl Matrix {
    pub(crate) fn count(&mut self, label: R, found: Option<R>) {
        self.0[at(label)][found.map_or(COLUMNS - 1, at)] += 1;
    }

    pub(crate) fn total(&self) -> u32 {
        self.0.iter().flatten().sum()
    }

    pub(crate) fn agreed(&self) -> u32 {
        (0..R::ALL.len()).map(|n| self.0[n][n]).sum()
    }

    pub(crate) fn least_row(&self) -> u32 {
        self.0.iter().map(|row| row.iter().sum()).min().unwrap()
    }

    pub(crate) fn worst_cell(&self) -> u32 {
        let off = |(n, row): (usize, &[u32; COLUMNS])| {
            let cells = row.iter().enumerate().filter(|(m, _)| *m != n);
            cells.map(|(_, count)| *count).max().unwrap()
        };
        self.0.iter().enumerate().map(off).max().unwrap()
    }

    pub(crate) fn has_lost_row(&self) -> bool {
        let mut rows = self.0.iter().enumerate();
        rows.any(|(n, row)| 2 * (row.iter().sum::<u32>() - row[n]) >= row.iter().sum())
    }
}

/// The heads of the columns, short enough for a line.
const HEADS: [&str; COLUMNS] = [
    "STUCK", "OSCIL", "UNREA", "GUI", "NEVER", "TOOL", "TIME", "ENV", "INVAL", "RISK", "UNKN",
    "done",
];

impl std::fmt::Display for Matrix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "| a person says | ")?;
        writeln!(f, "{} |", HEADS.join(" | "))?;
        writeln!(f, "|---{}|", "|---".repeat(COLUMNS))?;
        for (reason, row) in R::ALL.iter().zip(&self.0) {
            let cells: Vec<String> = row
                .iter()
                .map(|n| {
                    if *n == 0 {
                        "·".to_owned()
                    } else {
                        n.to_string()
                    }
                })
                .collect();
            writeln!(f, "| {} | {} |", reason.name(), cells.join(" | "))?;
        }
        write!(
            f,
            "\n{} of {} agree ({:.1} %)",
            self.agreed(),
            self.total(),
            100.0 * f64::from(self.agreed()) / f64::from(self.total())
        )
    }
}
