//! STEP text to exact B-Rep.
